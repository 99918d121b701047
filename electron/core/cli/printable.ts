/** Names, and what a service says, may hold what a terminal takes for orders. */
export const printable = (line: string): string => line.replaceAll(/\p{Cc}/gu, '�');
