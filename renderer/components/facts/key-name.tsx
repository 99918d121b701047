import { VisuallyHidden } from '@mantine/core';
import classes from './key-name.module.css';

/** Characters of a name's end, in which names differ: `plant.line3.press.temperature`. */
const END = 10;
const characters = new Intl.Segmenter();

/** Data key in little room: cut in the middle, in its own direction; whole on hover, for screen readers and copies. */
export function KeyName({ name }: { readonly name: string }) {
  const letters = Array.from(characters.segment(name), ({ segment }) => segment);
  if (letters.length <= 2 * END) return <span title={name}>{name}</span>;
  return (
    <span title={name}>
      <VisuallyHidden component="span">{name}</VisuallyHidden>
      <span className={classes['parts']} dir="auto" aria-hidden>
        <span className={classes['begin']}>{letters.slice(0, -END).join('')}</span>
        <span>{letters.slice(-END).join('')}</span>
      </span>
    </span>
  );
}
