import { REDACTED } from '#shared/domain/audit.ts';

/*
 * The audit trail says no secret. A field whose name is one of a secret is redacted whatever it holds, in whatever it is nested;
 * of any text what looks like a secret is. What is redacted is told as changed all the same.
 */

/** Names of fields that hold secrets: those of this program (`hash`, `token_hash`, `api_key`), and what people call theirs. */
const SECRET_NAME =
  /^hash$|pass(?:word|phrase|wd|code)|secret|token|api[-_ ]?key|credential|private[-_ ]?key|authorization|cookie|(?:^|[-_ ])psk$/i;

/** Looks before the rules, each of which reads the whole text. */
const WORD = /:\/\/|pass|secret|token|api|credential|bearer|basic|private/i;
const RUN = /[\dA-Za-z]{40}/;
const RUN_LENGTH = 40;

const RULES: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, REDACTED],
  // API keys, device tokens (core/vault/secrets.ts), and what looks like one.
  [/(?<![\dA-Za-z])(?:fb_)?[\dA-Za-z]{40}(?![\dA-Za-z])/g, REDACTED],
  // "Basic sensors" are no secret.
  [/\b(Bearer|Basic) +(?=[\w.~+/=-]*(?:\d|[a-z][A-Z]))[\w.~+/=-]{8,}/g, `$1 ${REDACTED}`],
  [/(:\/\/)[^\s/@"']+@/g, `$1${REDACTED}@`],
  [
    /((?:pass(?:word|phrase|wd|code)|secret|token|api[-_ ]?key|credential)s?["']?\s*[:=]\s*)(?:"[^"]*"|'[^']*'|[^\s"',;&)}\]]+)/gi,
    `$1${REDACTED}`,
  ],
];

/** Values nested deeper are not told: a row may be deeper than the stack. */
const DEEPEST = 64;
const DEEPER = '(nested deeper)';

/** Returns a text without secrets. */
export function redactText(text: string): string {
  if (!WORD.test(text) && (text.length < RUN_LENGTH || !RUN.test(text))) return text;
  return RULES.reduce((told, [rule, instead]) => told.replace(rule, instead), text);
}

/** Returns a value of JSON without secrets, however deep it is. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return DEEPER;
  if (Array.isArray(value)) return (value as unknown[]).map((each) => redact(each, depth + 1));
  return redactFields(value, depth);
}

/** The same of an object's fields, by their names, too; in the order of their names, as the trail writes them. */
export function redactFields(row: object, depth = 0): Record<string, unknown> {
  const told: Record<string, unknown> = {};
  for (const name of Object.keys(row).toSorted()) {
    const value = (row as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) continue;
    const of = nameOf(name);
    const field = of.isSecret && value !== null ? REDACTED : redact(value, depth + 1);
    if (of.told === '__proto__') setOwn(told, of.told, field);
    else told[of.told] = field;
  }
  return told;
}

/** Name of a field, as it is told. */
interface ToldName {
  readonly told: string;
  readonly isSecret: boolean;
}

/** Names without secrets: a project's end tells ten thousand rows of the same. */
const plainNames = new Map<string, ToldName>();
const MOST_NAMES = 1024;
const LONGEST_NAME = 64;

function nameOf(name: string): ToldName {
  const known = plainNames.get(name);
  if (known) return known;
  const of = { told: redactText(name), isSecret: SECRET_NAME.test(name) };
  const isPlain = of.told === name && name.length <= LONGEST_NAME;
  if (isPlain && plainNames.size < MOST_NAMES) plainNames.set(name, of);
  return of;
}

/** Sets a field that an assignment would take for the prototype. */
function setOwn(fields: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(fields, name, { value, configurable: true, enumerable: true, writable: true });
}
