import { IconButton } from "@/ui/IconButton";
import { useCopy } from "../copy";
import styles from "./Markdown.module.css";

export function CodeBlock({ text, language }: { text: string; language?: string }) {
  const [copied, copy] = useCopy();
  return (
    <figure className={styles.codeBlock}>
      <figcaption className={styles.codeHead}>
        {language || "text"}
        <IconButton
          small
          icon={copied ? "check" : "copy"}
          label={copied ? "Copied" : "Copy the code"}
          onClick={() => copy(text)}
        />
      </figcaption>
      <pre>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
