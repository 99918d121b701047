export { matches } from '#shared/text.ts';
