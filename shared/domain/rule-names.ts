/* Names of rules, apart from their schema, which the start of a window needs not. */

/** `type` of a function that watches. */
export const RULE = 'rule';
