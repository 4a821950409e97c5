export default function SettingsPage() {
  return <p>Not built yet.</p>;
}
