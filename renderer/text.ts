export { isFound, matches } from '#shared/text.ts';

const segments = new Intl.Segmenter();

/** A text of at most so many characters: what is too long loses its middle, because names alike differ at either end. */
export function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = Array.from(segments.segment(text), ({ segment }) => segment);
  if (characters.length <= most) return text;
  const head = Math.ceil((most - 1) / 2);
  const tail = most - 1 - head;
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - tail).join('')}`;
}
