// node generate.mjs document.json schema.d.ts: the types of an OpenAPI document, as openapi-typescript writes them.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

// openapi-typescript works with the JavaScript API of TypeScript 5 and 6, which 7 has no more; ts-morph brings it along.
const typescript = pathToFileURL(
  createRequire(import.meta.url).resolve('@ts-morph/common/dist/typescript.js'),
);
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript' ? { url: typescript.href, shortCircuit: true } : next(specifier, context),
});

const { default: openapiTS, astToString } = await import('openapi-typescript');
const [document = '', schema = ''] = process.argv.slice(2);
writeFileSync(schema, astToString(await openapiTS(readFileSync(document, 'utf8'))));
