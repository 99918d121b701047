const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text has the form of a UUID, as all ids have that services make or are given; a former one may be in capitals. */
export const isUuid = (text: string): boolean => UUID.test(text);
