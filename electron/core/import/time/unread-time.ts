import { quote } from '#shared/values/validate.ts';

/** Times that are not read, since they say too little or too much, and what to do about each. */
const UNREAD: readonly (readonly [form: RegExp, what: string])[] = [
  [
    /^\d{1,2}([-./])\d{1,2}\1\d{2}(?!\d)/,
    'a date whose year has two digits: which number is the year cannot be told, so write it with four',
  ],
  [/^\d{4}[-/](?:0?[1-9]|1[0-2])$/, 'a month without a day: write such as "2015-02-01"'],
  [
    /^\d{4}[-./]\d{1,2}[-./]\d{1,2}[T ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)? ?[a-z]{2,5}$/i,
    'a time with the name of a zone, which may mean several: write an offset such as "-05:00", or leave it out and say the time zone [zone=…]',
  ],
  [/^\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?[AP]M)?$/i, 'a time of day without a date'],
];

/** No time is longer, and no longer text is looked at. */
const MOST_CHARACTERS = 64;

/** Why a text that seems to be a time is not read as one, as a part of a sentence; null for other texts. */
export function whyUnread(text: string): string | null {
  if (text.length > MOST_CHARACTERS) return null;
  const known = UNREAD.find(([form]) => form.test(text));
  return known ? `${quote(text)} is ${known[1]}` : null;
}

/** Why no column of times was found, for the end of a message; the empty text where nothing is known. */
export function whyNoTimes(rows: readonly (readonly { readonly text: string }[])[]): string {
  const [first = []] = rows;
  const why = first.map(({ text }) => whyUnread(text)).find((one) => one !== null);
  return why ? `. ${why}` : '';
}
