import { type DragEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Icon } from "@/ui/Icon";
import styles from "./DropArea.module.css";
import { filesOf, holdsFiles } from "./dropped";

type DropAreaProps = {
  /** The folder's name, shown while files hang over the page. */
  place: string;
  onFiles: (files: File[]) => void;
  onText: (text: string) => void;
  children: ReactNode;
};

/** Takes files dropped anywhere on the page, and files or text pasted while nobody types. */
export function DropArea({ place, onFiles, onText, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false);
  const depth = useRef(0); // enter and leave also fire for every child that is crossed
  usePaste(onFiles, onText);

  const hover = (step: number) => (event: DragEvent) => {
    if (!holdsFiles(event.dataTransfer)) return;
    event.preventDefault();
    depth.current = Math.max(0, depth.current + step);
    setOver(depth.current > 0);
  };
  const drop = (event: DragEvent) => {
    if (!holdsFiles(event.dataTransfer)) return;
    event.preventDefault();
    depth.current = 0;
    setOver(false);
    void filesOf(event.dataTransfer).then(onFiles);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard's way to add files is the button
    <div
      className={styles.area}
      onDragEnter={hover(1)}
      onDragLeave={hover(-1)}
      onDragOver={(event) => holdsFiles(event.dataTransfer) && event.preventDefault()}
      onDrop={drop}
    >
      {children}
      {isOver && (
        <div className={styles.veil} aria-hidden="true">
          <p className={styles.words}>
            <Icon name="upload" size={24} />
            {place === "All documents" ? "Drop to add" : `Drop to add to ${place}`}
          </p>
        </div>
      )}
    </div>
  );
}

function usePaste(onFiles: (files: File[]) => void, onText: (text: string) => void) {
  const latest = useRef({ onFiles, onText });
  useEffect(() => {
    latest.current = { onFiles, onText };
  });
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.matches("input, textarea, [role=dialog] *");
      if (isTyping || !event.clipboardData) return;
      const files = [...event.clipboardData.files];
      const text = event.clipboardData.getData("text/plain");
      if (files.length > 0) latest.current.onFiles(files);
      else if (text.trim() !== "") latest.current.onText(text);
    };
    window.addEventListener("paste", onPaste);
    return () => window.removeEventListener("paste", onPaste);
  }, []);
}
