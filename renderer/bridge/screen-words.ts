/** Settings as programs name them, behind the words for people in messages about files: " [date_order=day-first]". */
const FOR_PROGRAMS =
  / \[(?:date_order|decimal_mark|header|missing_words|row_numbers|started|text_columns|time_column|time_kind|unnamed_column|zone)=[^\]]*\]/g;

/** Names of settings behind the place where people find them: " in the settings (webhook_hosts)". */
const NAMES = /(?<= in the settings) \([a-z_]+\)/g;

/** Returns a message of the service without what it says to programs alone: a screen has these settings under their names in words. */
export const screenWords = (message: string): string =>
  message.replaceAll(FOR_PROGRAMS, '').replaceAll(NAMES, '');
