/* Elements of the page. What somebody wrote becomes text and nothing else: no markup is ever read. */

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
export type Child = Node | string | null | undefined | readonly Child[];

/** An element with attributes (true: there; false or undefined: not) and what is in it. */
export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== false && value !== undefined)
      element.setAttribute(key, value === true ? '' : String(value));
  fill(element, children);
  return element;
}

/** Puts these in place of what is in an element. */
export function show(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren();
  fill(element, children);
}

function fill(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) fill(element, child as readonly Child[]);
    else if (child !== null && child !== undefined) element.append(child as Node | string);
  }
}

/** A text that somebody wrote: its direction is its own, and turns nothing beside it. */
export const said = (text: string): HTMLElement => el('bdi', {}, text);

/** A button with a word, and what it does. */
export function button(label: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = el('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', act);
  return made;
}

interface Choice<Value extends string> {
  readonly label: string;
  readonly name: string;
  readonly value: Value;
  readonly ways: readonly (readonly [value: Value, label: string])[];
  readonly onChange: (value: Value) => void;
}

/** A few ways, one of which is chosen. */
export function choice<Value extends string>({
  label,
  name,
  value,
  ways,
  onChange,
}: Choice<Value>): HTMLElement {
  return el(
    'fieldset',
    { class: 'choice' },
    el('legend', {}, label),
    ways.map(([way, words]) => {
      const input = el('input', { type: 'radio', name, value: way, checked: way === value });
      input.addEventListener('change', () => onChange(way));
      return el('label', {}, input, words);
    }),
  );
}
