/** Characters of a name in a path; more are cut. */
const MOST_CHARACTERS = 40;

/** Returns folders for devices by their names: with a number before, so that each has its own, of letters that every system has. */
export function foldersOf(names: readonly string[]): readonly string[] {
  const digits = String(names.length).length;
  return names.map((name, i) => {
    const plain = name
      .replaceAll('ß', 'ss')
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .replace(/[^0-9A-Za-z]+/g, '-')
      .slice(0, MOST_CHARACTERS)
      .replace(/^-+|-+$/g, '');
    return [String(i + 1).padStart(digits, '0'), ...(plain === '' ? [] : [plain])].join('-');
  });
}
