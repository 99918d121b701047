/** That a logger's clock may not have been changed where those of its zone were, from one offset to another. */
export const clockChangeWords = (zone: string, before: string, after: string): string =>
  `The clocks in ${zone} were changed within the recording, from ${before} to ${after}. Where that of the logger was not, its offset is the zone to read the file by.`;
