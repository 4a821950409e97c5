import { useRef } from "react";
import { acceptedWords } from "@/api/accepted";
import { Button } from "@/ui/Button";
import { PageHeader } from "@/ui/PageHeader";
import type { Limits } from "./checks";
import { bytes } from "./words";

type ListHeaderProps = {
  q: string;
  limits: Limits;
  onSearch: (q: string) => void;
  onFiles: (files: File[]) => void;
  onPaste: () => void;
};

export function ListHeader({ q, limits, onSearch, onFiles, onPaste }: ListHeaderProps) {
  return (
    <PageHeader
      title="Documents"
      search={{ value: q, placeholder: "Find by name", label: "Find documents by name", onChange: onSearch }}
    >
      <Button icon="copy" onClick={onPaste}>
        Paste text
      </Button>
      <AddFiles limits={limits} onFiles={onFiles} />
    </PageHeader>
  );
}

/** The button that opens the file chooser. */
export function AddFiles({ limits, onFiles }: { limits: Limits; onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        tone="primary"
        icon="upload"
        title={`${acceptedWords(limits.accepted)}, up to ${bytes(limits.max_upload_bytes)} each`}
        onClick={() => input.current?.click()}
      >
        Add files
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={limits.accepted.join(",")}
        aria-label="Add files"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = ""; // so that the same file can be chosen again
        }}
      />
    </>
  );
}
