import { useState } from "react";
import { api, sentence } from "@/api/client";
import type { Me } from "@/api/types";
import type { IconName } from "@/ui/Icon";
import { IconButton } from "@/ui/IconButton";
import { showToast } from "@/ui/Toast";
import styles from "./Account.module.css";
import { chooseTheme, nextTheme, storedTheme, type Theme } from "./theme";

const THEMES: Record<Theme, { icon: IconName; label: string }> = {
  system: { icon: "contrast", label: "Colours follow your system. Use light" },
  light: { icon: "sun", label: "Light colours. Use dark" },
  dark: { icon: "moon", label: "Dark colours. Follow your system" },
};

/** The foot of the rail: who is signed in, colours, keys, and the way out. */
export function Account({ me, onKeys }: { me: Me; onKeys: () => void }) {
  const [theme, setTheme] = useState(storedTheme);
  const signOut = async () => {
    try {
      await api.delete("/api/session");
      window.location.assign("/sign-in"); // a fresh page remembers nothing of whoever was here
    } catch (error) {
      showToast({ message: sentence(error), tone: "failed" });
    }
  };
  const changeTheme = () => {
    const next = nextTheme(theme);
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <footer className={styles.account}>
      <div className={styles.who}>
        <div className={styles.name}>{me.user.name || me.user.email}</div>
        <div className={styles.workspace}>{me.workspace.name}</div>
      </div>
      <IconButton small icon={THEMES[theme].icon} label={THEMES[theme].label} onClick={changeTheme} />
      <IconButton small icon="keyboard" label="Keys" keys="?" onClick={onKeys} />
      <IconButton small icon="signout" label="Sign out" onClick={signOut} />
    </footer>
  );
}
