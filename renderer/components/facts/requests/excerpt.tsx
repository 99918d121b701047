import classes from './excerpt.module.css';

/** The beginning of a body or an answer, as it was sent; it scrolls by keyboard. */
export function Excerpt({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <pre className={classes['excerpt']} tabIndex={0} aria-label={label}>
      {text}
    </pre>
  );
}
