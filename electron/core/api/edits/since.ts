import { badRequest } from '../../base/errors.ts';

/** The 400 Refusal of an edit that somebody else came before. */
export const since = (what: string) => badRequest(`Nothing was changed: since then ${what}.`);
