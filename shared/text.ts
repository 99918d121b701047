/** Whether every word of a search occurs in one of the texts; case and accents do not matter. */
export function matches(search: string, ...texts: readonly string[]): boolean {
  const words = plain(search).split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const text = plain(texts.join('\n'));
  return words.every((word) => text.includes(word));
}

/** What a device is found by. */
export function textsOf(device: {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly brand: string;
  readonly model: string;
  readonly tags: readonly string[];
}): string[] {
  const { id, name, description, brand, model, tags } = device;
  return [name, id, ...tags, brand, model, description];
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();
}
