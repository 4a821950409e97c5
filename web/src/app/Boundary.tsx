import { Component, type ReactNode } from "react";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";

/** Keeps an error of one page from taking the rest along. Give it the address as key: another page begins afresh. */
export class Boundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return (
      <EmptyState
        isPage
        title="This page broke"
        action={<Button onClick={() => window.location.reload()}>Reload it</Button>}
      >
        That is a mistake in Ibid, not yours. What was stored is safe; text not sent yet is kept as well.
      </EmptyState>
    );
  }
}
