/** Runs that could be a token or a key: no name or number of a sensor has so many letters and digits. */
const RUN = /[0-9A-Za-z]{40,}/g;
/** A member of a JSON object, or a parameter of a query, whose name says that it is one. */
const NAME =
  '[^"\\\\=&?\\s]{0,40}(?:token|passw|passphrase|secret|api[_-]?key|authorization)[^"\\\\=&?\\s]{0,40}';
const MEMBER = new RegExp(`("${NAME}"\\s{0,8}:\\s{0,8})("(?:[^"\\\\]|\\\\.)*"?|[^\\s,}\\]]+)`, 'gis');
const PARAMETER = new RegExp(`((?:^|[?&\\s])${NAME}=)([^&\\s]+)`, 'gi');

/** Some of them is in each such name. */
const WORDS = ['token', 'passw', 'passphrase', 'secret', 'api', 'authorization'];
const RUN_LENGTH = 40;

const HIDDEN = '(hidden)';

/** The text without what is, or could be, a token, a key or a password. */
export function hideSecrets(text: string): string {
  if (!mayHold(text)) return text;
  return text.replace(MEMBER, `$1"${HIDDEN}"`).replace(PARAMETER, `$1${HIDDEN}`).replace(RUN, HIDDEN);
}

/** Whether any of them may be in it: most texts are short readings, of which one pattern for all takes four times as long. */
function mayHold(text: string): boolean {
  const lower = text.toLowerCase();
  return WORDS.some((word) => lower.includes(word)) || hasRun(lower);
}

function hasRun(lower: string): boolean {
  let run = 0;
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at);
    const isOfRun = (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
    run = isOfRun ? run + 1 : 0;
    if (run === RUN_LENGTH) return true;
  }
  return false;
}

/** Characters of an unknown token that are shown. */
const SHOWN = 4;

/** Returns the beginning of an unknown token, to find its owner by; less of a short one, so that most stays hidden. */
export const beginningOf = (token: string): string => token.slice(0, Math.min(SHOWN, token.length >> 2));
