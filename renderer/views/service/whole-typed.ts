import { quote } from '#shared/values/validate.ts';

/** Reads a whole number as it was typed. Throws with what the field takes and what it got: nothing is made of "1.5". */
export function wholeTyped(field: string, text: string, min: number, max: number): number {
  const typed = text.trim();
  const number = Number(typed);
  if (/^\d+$/.test(typed) && number >= min && number <= max) return number;
  const got = typed !== '' && Number.isFinite(number) ? typed : quote(typed);
  throw new RangeError(`${field} must be a whole number from ${min} to ${max}, got ${got}`);
}
