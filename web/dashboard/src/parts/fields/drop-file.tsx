import { IconUpload } from "@tabler/icons-react";
import { useState } from "react";

export interface DropFileProps {
  label: string;
  /** As an input's `accept`. The server checks the bytes. */
  accept: string;
  onFile(file: File): void;
}

/** A file by dragging or choosing; on phones from the camera or the album. */
export function DropFile({ label, accept, onFile }: DropFileProps) {
  const [over, setOver] = useState(false);
  return (
    <label
      className="drop"
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (file !== undefined) onFile(file);
      }}
    >
      <IconUpload size={20} stroke={1.5} aria-hidden />
      <span>{label}</span>
      <input
        type="file"
        data-autofocus
        accept={accept}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file !== undefined) onFile(file);
          event.currentTarget.value = "";
        }}
      />
    </label>
  );
}
