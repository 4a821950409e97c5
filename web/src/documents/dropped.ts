/** Files out of a drop or a paste, folders opened up. */

async function readAll(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const entries: FileSystemEntry[] = [];
  for (;;) {
    // A reader hands out at most a hundred entries at a time, and an empty list at the end.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return entries;
    entries.push(...batch);
  }
}

async function open(entry: FileSystemEntry): Promise<File[]> {
  if (entry.name.startsWith(".")) return [];
  if (entry.isFile) {
    return [
      await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)),
    ];
  }
  const children = await readAll((entry as FileSystemDirectoryEntry).createReader());
  return (await Promise.all(children.map(open))).flat();
}

/** All files of a drop. Call it at once: the browser empties the data after the event. */
export async function filesOf(data: DataTransfer): Promise<File[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const files = [...data.files];
  if (!entries.some((entry) => entry?.isDirectory)) return files;
  return (await Promise.all(entries.flatMap((entry) => (entry ? [open(entry)] : [])))).flat();
}

export function holdsFiles(data: DataTransfer | null): boolean {
  return data?.types.includes("Files") ?? false;
}
