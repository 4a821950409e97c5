import { IconButton } from "@/ui/IconButton";
import styles from "./AnswerBar.module.css";

export const loadFeedback = () => import("./FeedbackForm");

const THUMBS = [
  { rating: "up", icon: "thumbUp", label: "Good answer" },
  { rating: "down", icon: "thumbDown", label: "Bad answer" },
] as const;

type ThumbsProps = { rating: "up" | "down" | null; onRate: (rating: "up" | "down") => Promise<void> };

/** Up or down; the form that asks why is fetched while one still aims. */
export function Thumbs({ rating, onRate }: ThumbsProps) {
  return THUMBS.map((thumb) => (
    <IconButton
      key={thumb.rating}
      small
      icon={thumb.icon}
      label={thumb.label}
      aria-pressed={rating === thumb.rating}
      className={rating === thumb.rating ? styles.pressed : undefined}
      onPointerEnter={() => void loadFeedback()}
      onFocus={() => void loadFeedback()}
      onClick={() => void onRate(thumb.rating)}
    />
  ));
}
