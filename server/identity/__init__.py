"""Who is asking: accounts, sessions, invitations, and the keys that sign them."""
