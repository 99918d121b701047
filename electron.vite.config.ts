import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { declarations } from './client/declarations.ts';
import { FACTS } from './client/facts.ts';
import { docsPage } from './scripts/lib/docs-page.mjs';
import { handoverViewer } from './scripts/lib/handover-viewer.mjs';
import { collectLicences } from './scripts/lib/licences.mjs';
import packageJson from './package.json' with { type: 'json' };
import { packed } from './scripts/lib/packed.mjs';
import { dayOf, sourceDate } from './scripts/lib/source-date.mjs';

/*
 * out/main/{main,cli,worker,client}.js, out/preload/preload.cjs, out/renderer/. All three are whole: neither preload nor renderer can
 * reach node_modules, and a service starts sooner from some fifty files than from a thousand.
 */

/**
 * What a bundle cannot hold: the runtime, a native package, and those that pg and ws would use if they were there; and what
 * Fastify would use for routes with schemas, and for requests of tests, of which it gets none (core/http/listener.ts).
 */
const OUTSIDE = [
  'electron',
  'keytar',
  'pg-native',
  'bufferutil',
  'utf-8-validate',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
];

/**
 * As small as it gets while a stack trace in a log still says the names of functions and classes. What libraries say of their
 * licences is in licences.txt.
 */
const MINIFY = {
  compress: { keepNames: { function: true, class: true } },
  mangle: { keepNames: true },
  codegen: { legalComments: 'none' },
} as const;

/** Its files go beside the entries, where migrate.ts in it reads them. */
const SCHEMA = 'electron/core/store/postgres/schema';

/** Its code is a file beside the entries, and in no bundle. */
const QUICKJS = resolve('node_modules/@jitl/quickjs-wasmfile-release-sync');

/** As Vite names it, on every system. */
const FACTS_MODULE = resolve('client/facts.ts').replaceAll('\\', '/');

const MANIFEST = resolve('package.json').replaceAll('\\', '/');

/** Folders of the packages that are in the bundles; the renderer's is made last. */
const packages = new Set<string>();

export default defineConfig({
  main: {
    // core/base/version.ts has it.
    define: { SOURCE_DAY: JSON.stringify(dayOf(sourceDate())) },
    plugins: [
      collectLicences(packages, { emit: false }),
      {
        name: 'client',
        // Its table without the schemas, which only the service needs.
        load: (id) => (id === FACTS_MODULE ? `export const FACTS = ${JSON.stringify(FACTS)};` : null),
        generateBundle() {
          const published = readFileSync('client/public.d.ts', 'utf8').replaceAll(
            "'./operations.ts'",
            "'./client-operations.js'",
          );
          this.emitFile({ type: 'asset', fileName: 'client.d.ts', source: published });
          this.emitFile({ type: 'asset', fileName: 'client-operations.d.ts', source: declarations() });
        },
      },
      {
        name: 'version',
        // All that core/base/version.ts asks of it.
        load: (id) => (id === MANIFEST ? JSON.stringify({ version: packageJson.version }) : null),
      },
      {
        name: 'handover-viewer',
        async generateBundle() {
          // core/handover/page/viewer.ts reads it, beside the entries.
          const source = packed(Buffer.from(await handoverViewer()));
          this.emitFile({ type: 'asset', fileName: 'handover-viewer.json.br', source });
        },
      },
      {
        name: 'quickjs',
        generateBundle() {
          // core/functions/sandbox/engine-file.ts reads it, beside the entries.
          const source = packed(readFileSync(`${QUICKJS}/dist/emscripten-module.wasm`));
          this.emitFile({ type: 'asset', fileName: 'quickjs.wasm.br', source });
          packages.add(QUICKJS);
        },
      },
      {
        name: 'schema',
        generateBundle() {
          for (const fileName of readdirSync(SCHEMA).filter((name) => name.endsWith('.sql'))) {
            const source = readFileSync(`${SCHEMA}/${fileName}`, 'utf8');
            this.emitFile({ type: 'asset', fileName, source });
          }
        },
      },
    ],
    build: {
      externalizeDeps: false,
      // The service alone runs on Node 20, too (package.json, engines); what that lacks is in core/older-node.ts.
      target: 'node20',
      rolldownOptions: {
        external: OUTSIDE,
        input: {
          main: 'electron/main.ts',
          cli: 'electron/core/cli/main.ts',
          // cli/serve/configure.ts looks for it beside the other two.
          worker: 'electron/core/service/worker.ts',
          // The script of processes in which functions of users run, likewise.
          isolate: 'electron/core/functions/sandbox/isolate.ts',
          // What test suites import: it starts cli.js, beside which it lies.
          client: 'client/index.ts',
        },
        // Beside the entries, so that import.meta.dirname is out/main wherever a module ends up.
        output: {
          // A library's chunk is named for all that load it, which is too long for a file.
          chunkFileNames: ({ name }) => `${name.split('~')[0]}-[hash].js`,
          minify: MINIFY,
          // Code of our own is told apart from that of others (test/unit/cli/older-node.test.ts), and what is loaded together is one file.
          codeSplitting: {
            groups: [
              // A program that brings its Node ships without it (packaging/not-shipped.mjs).
              { name: 'older-node', test: /node_modules[\\/]core-js/, priority: 1 },
              { name: 'library', test: /node_modules/, entriesAware: true },
            ],
          },
        },
      },
    },
  },
  preload: {
    plugins: [collectLicences(packages, { emit: false })],
    build: {
      externalizeDeps: false,
      rolldownOptions: {
        input: { preload: 'electron/preload.ts' },
        // A sandboxed window loads its preload with require: CommonJS, although the package is ESM.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'renderer',
    plugins: [
      react(),
      collectLicences(packages, { emit: true }),
      {
        name: 'docs',
        generateBundle() {
          const { html, pictures } = docsPage();
          this.emitFile({ type: 'asset', fileName: 'docs/index.html', source: html });
          for (const picture of pictures)
            this.emitFile({
              type: 'asset',
              fileName: `docs/${picture}`,
              source: readFileSync(`docs/${picture}`),
            });
        },
      },
    ],
    build: {
      minify: true,
      // The content security policy knows no data: fonts.
      assetsInlineLimit: 0,
      // It comes from this machine's disk, where one file is as good as many.
      chunkSizeWarningLimit: 2000,
      rolldownOptions: {
        input: 'renderer/index.html',
        // What a start needs, and what comes later (renderer/later.tsx), reads sooner as one file each than as a hundred: a third of
        // a start's processor time was requests.
        output: {
          codeSplitting: {
            groups: [{ name: 'start', tags: ['$initial'], priority: 1 }, { name: 'rest' }],
          },
        },
      },
    },
  },
});
