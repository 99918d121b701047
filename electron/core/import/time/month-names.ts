/** How names of months begin in English, German, French, Spanish, Italian, Portuguese, Dutch and Scandinavian, without marks. */
const BEGINNINGS: readonly (readonly string[])[] = [
  ['jan', 'ene', 'gen'],
  ['feb', 'fev'],
  ['mar', 'mrz', 'maerz', 'mrt', 'maa'],
  ['apr', 'avr', 'abr'],
  ['may', 'mai', 'maj', 'mag', 'mei'],
  ['jun', 'juin', 'giu'],
  ['jul', 'juil', 'lug'],
  ['aug', 'aou', 'ago'],
  ['sep', 'set'],
  ['oct', 'okt', 'ott', 'out'],
  ['nov'],
  ['dec', 'dez', 'dic', 'des'],
];

/** The month, from 1, that a name or its beginning stands for; null for other words. */
export function monthOf(name: string): number | null {
  const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const month = BEGINNINGS.findIndex((ways) => ways.some((way) => plain.startsWith(way)));
  return month === -1 ? null : month + 1;
}
