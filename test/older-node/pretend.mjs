// `node --import <this>` takes away what Node 20 has not, in worker threads too: what runs then runs there as well.
import { readFileSync } from 'node:fs';
import { globalHolders, readList } from './names.mjs';

const list = readList(readFileSync(new URL('node-20.txt', import.meta.url), 'utf8'));

// Modules stay as they are, since Node itself is made of them: what is used of those, only the list can say.
for (const { name: holder, value } of globalHolders()) {
  const names = list.get(holder);
  // A global that Node 20 has not goes as a whole.
  if (names === undefined) continue;
  for (const name of Object.getOwnPropertyNames(value))
    if (!names.has(name)) Reflect.deleteProperty(value, name);
}
