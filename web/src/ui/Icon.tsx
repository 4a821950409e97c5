/** Line icons on a 20-unit grid; always decorative, so their control carries the words. */
const PATHS = {
  ask: "M4 5h12M4 9h12M4 13h6M14 12v5M11.5 14.5h5",
  minus: "M4 10h12",
  plus: "M10 4v12M4 10h12",
  documents: "M5 3h6l4 4v10H5zM11 3v4h4",
  settings: "M3 6h8M15 6h2M3 14h2M9 14h8M11 4v4h4V4zM5 12v4h4v-4z",
  search: "M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM13 13l4 4",
  close: "M5 5l10 10M15 5L5 15",
  menu: "M3 6h14M3 10h14M3 14h14",
  more: "M4.5 10h.01M10 10h.01M15.5 10h.01",
  up: "M10 16V4M5 9l5-5 5 5",
  down: "M10 4v12M5 11l5 5 5-5",
  stop: "M6 6h8v8H6z",
  copy: "M7 7h9v9H7zM4 13V4h9",
  check: "M4 10.5l4 4 8-9",
  retry: "M16 5v4h-4M15.5 9A6 6 0 1 0 16 12",
  upload: "M10 13V4M6 8l4-4 4 4M4 13v3h12v-3",
  attach: "M14 7l-5.5 5.5a1.8 1.8 0 0 0 2.5 2.5L16.5 9.5a3.5 3.5 0 0 0-5-5L6 10a5.3 5.3 0 0 0 7.5 7.5",
  trash: "M4 6h12M8 6V4h4v2M6 6l.7 11h6.6L14 6M8.7 9v5M11.3 9v5",
  pencil: "M4 16l.8-3.5L13 4.3l2.7 2.7L7.5 15.2z",
  folder: "M3 5h5l2 2h7v9H3z",
  file: "M5 3h6l4 4v10H5zM11 3v4h4",
  left: "M12 4l-6 6 6 6",
  right: "M8 4l6 6-6 6",
  chevron: "M6 8l4 4 4-4",
  sidebar: "M3 4h14v12H3zM8 4v12",
  sun: "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1",
  moon: "M16 12.5A6.5 6.5 0 0 1 7.5 4 6.5 6.5 0 1 0 16 12.5z",
  contrast: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 3v14",
  keyboard: "M2.5 5.5h15v9h-15zM5.5 8.5h.01M8.5 8.5h.01M11.5 8.5h.01M14.5 8.5h.01M6.5 11.8h7",
  signout: "M8 4H4v12h4M12 6.5L15.5 10 12 13.5M15.5 10H8",
  lock: "M5 9h10v7H5zM7 9V6.5a3 3 0 0 1 6 0V9",
  people:
    "M7.5 10a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4zM2.5 16c0-2.7 2-4.3 5-4.3s5 1.6 5 4.3M13 5a2.5 2.5 0 0 1 0 4.8M14 12c2.1.3 3.5 1.7 3.5 4",
  eye: "M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5zM10 7.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4z",
  hidden:
    "M3 3l14 14M8 5.3A8.6 8.6 0 0 1 10 5c5 0 8 5 8 5a15 15 0 0 1-2.3 2.8M5 6.8A14 14 0 0 0 2 10s3 5 8 5c1 0 1.9-.2 2.7-.5M8.4 8.5a2.2 2.2 0 0 0 3 3",
  thumbUp:
    "M6.5 9v7.5H3.5V9zM6.5 9l3-6c1.3 0 2 .9 2 2v2.5h3.6c1 0 1.7.9 1.5 1.9l-1 5.5c-.2.9-.9 1.6-1.9 1.6H6.5",
  thumbDown:
    "M13.5 11V3.5h3V11zM13.5 11l-3 6c-1.3 0-2-.9-2-2v-2.5H4.9c-1 0-1.7-.9-1.5-1.9l1-5.5c.2-.9.9-1.6 1.9-1.6h7.2",
  globe:
    "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM3 10h14M10 3c2.2 2 3 4.3 3 7s-.8 5-3 7c-2.2-2-3-4.3-3-7s.8-5 3-7z",
  star: "M10 3.5l2 4.2 4.6.6-3.4 3.2.9 4.6-4.1-2.3-4.1 2.3.9-4.6L3.4 8.3 8 7.7z",
  alert: "M10 3l7.5 13.5h-15zM10 8v4M10 14.3h.01",
  info: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 9v4.5M10 6.5h.01",
  open: "M8 4H4v12h12v-4M11 4h5v5M16 4l-7 7",
  download: "M10 4v9M6 9l4 4 4-4M4 13v3h12v-3",
  link: "M8.5 11.5l3-3M9 6l1.5-1.5a3.2 3.2 0 0 1 4.5 4.5L13.5 10.5M11 14l-1.5 1.5A3.2 3.2 0 0 1 5 11L6.5 9.5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" fill="none" aria-hidden="true">
      <path
        d={PATHS[name]}
        stroke="currentColor"
        strokeWidth={name === "more" ? 2.6 : 1.6}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
