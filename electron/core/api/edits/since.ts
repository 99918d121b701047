import { quote } from '#shared/values/validate.ts';
import { badRequest } from '../../base/errors.ts';
import type { Differing } from './fields.ts';

/** The 400 Refusal of an edit that somebody else came before. */
export const since = (what: string) => badRequest(`Nothing was changed: since then ${what}.`);

export const changedSince = (what: string, { now }: Differing) =>
  since(`${what} was changed, to ${now === null ? 'none' : quote(now)}`);
