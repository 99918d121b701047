const VALUE = 'value:';

/** The column of the last value of a key. */
export const valueColumn = (key: string) => VALUE + key;

/** The key whose last values stand in a column; null for any other. */
export const keyOfColumn = (id: string) => (id.startsWith(VALUE) ? id.slice(VALUE.length) : null);
