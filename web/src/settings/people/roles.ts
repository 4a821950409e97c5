/** The four roles in words, and who may give which. */
import type { Role } from "@/api/types";

const ROLES: Record<Role, { label: string; help: string }> = {
  owner: { label: "Owner", help: "Everything, and the one who cannot be locked out." },
  admin: { label: "Administrator", help: "Also settings and people." },
  member: { label: "Member", help: "Adds documents and asks." },
  reader: { label: "Reader", help: "Asks, but adds nothing." },
};

export function roleWords(role: Role): { label: string; help: string } {
  return ROLES[role] ?? { label: role, help: "" };
}

/** The roles that somebody of role `mine` may hand out, as options of a select. */
export function rolesToGive(mine: Role): { value: Role; label: string }[] {
  const given: Role[] = mine === "owner" ? ["admin", "member", "reader"] : ["member", "reader"];
  return given.map((value) => ({ value, label: ROLES[value].label }));
}

/** Whether somebody may change another person: never themselves, never the owner, and admins only below them. */
export function mayChange(mine: Role, isSelf: boolean, theirs: Role): boolean {
  if (isSelf || theirs === "owner") return false;
  return mine === "owner" || (mine === "admin" && theirs !== "admin");
}
