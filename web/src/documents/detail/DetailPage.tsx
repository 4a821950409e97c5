export function DetailPage({ id }: { id: string }) {
  return <p>{id}</p>;
}
