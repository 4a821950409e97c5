import { type DragEvent, useRef, useState } from "react";

/** Takes files dropped anywhere on an element; the attach button is its equal for the keyboard. */
export function useFileDrop(onFiles: ((files: Iterable<File>) => void) | null) {
  const depth = useRef(0); // every child passed over enters and leaves by itself
  const [isOver, setOver] = useState(false);
  const move = (by: number) => {
    depth.current = Math.max(0, depth.current + by);
    setOver(depth.current > 0);
  };
  const hasFiles = (event: DragEvent) => onFiles !== null && event.dataTransfer.types.includes("Files");
  const handlers = {
    onDragEnter: (event: DragEvent) => hasFiles(event) && move(1),
    onDragLeave: (event: DragEvent) => hasFiles(event) && move(-1),
    onDragOver: (event: DragEvent) => hasFiles(event) && event.preventDefault(),
    onDrop: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      move(-depth.current);
      onFiles?.([...event.dataTransfer.files]);
    },
  };
  return { isOver, handlers };
}
