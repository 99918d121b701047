import { inProject } from '../scripts/lib/project.mjs';
import { FUSES } from './fuses.mjs';
import { IDS, PRODUCT, PROGRAM } from './identity.mjs';

/**
 * electron-builder's configuration, which it checks itself. It makes the folder of an installed app and, on a Mac, dmg and zip;
 * the other files are made of that folder by tools of the systems that they are for (docs/decisions.md, "Packages by each
 * system's own tools").
 * @param {{ app: string, hasKeytar: boolean, output: string, electronDist: string | null, extracted: (tree: string) => void,
 *   signed: ((sign: import('./tree.mjs').Sign) => Promise<void>) | null }} place app: the folder that becomes the archive;
 *   electronDist: Electron's unpacked runtime, null to have it downloaded; extracted: is called with the folder of the runtime's
 *   copy; signed: on Windows, is called when the program is signed, with what signs others as well
 * @returns {import('electron-builder').Configuration}
 */
export const builderConfig = ({ app, hasKeytar, output, electronDist, extracted, signed }) => ({
  productName: PRODUCT,
  directories: { app, output, buildResources: inProject('packaging') },
  ...(electronDist !== null && { electronDist }),
  // Of the folder's own node_modules electron-builder takes only what it has looked for.
  files: [
    '**/*',
    ...(hasKeytar ? [{ from: `${app}/node_modules`, to: 'node_modules', filter: ['**/*'] }] : []),
  ],
  asar: true,
  // Native code is loaded from a file.
  asarUnpack: ['node_modules/keytar/**'],
  // false: modules are neither built anew nor looked for. app-folder.mjs has laid out all that ships, and keytar speaks
  // Node-API, which is the same in every Node and Electron. (npmRebuild: false would have modules looked for.)
  beforeBuild: () => Promise.resolve(false),
  // Before the hash of each archive goes into the program.
  afterExtract: ({ appOutDir }) => Promise.resolve(extracted(appOutDir)),
  ...(signed !== null && {
    afterSign: ({ packager }) =>
      signed(async (file) => {
        await /** @type {import('electron-builder').WinPackager} */ (packager).signIf(file);
      }),
  }),
  // The signature that Apple's processors ask for is made anew where a build is not signed.
  electronFuses: { ...FUSES, resetAdHocDarwinSignature: true },
  electronLanguages: ['en-US'],
  publish: null,
  linux: { target: ['dir'], executableName: PROGRAM, syncDesktopName: true },
  win: {
    target: ['dir'],
    executableName: PROGRAM,
    appId: IDS.windows,
    icon: 'icons/icon.ico',
    // SHA-1, which electron-builder would sign with as well, counts for no Windows that the app runs on.
    signtoolOptions: { signingHashAlgorithms: ['sha256'] },
  },
  mac: {
    // Without a name of its own the program has the app's, as Fieldbench.app has.
    target: ['dmg', 'zip'],
    appId: IDS.mac,
    artifactName: '${productName}-${version}-${arch}.${ext}',
    icon: 'icons/icon.icns',
    category: 'public.app-category.utilities',
    hardenedRuntime: true,
    gatekeeperAssess: false,
    entitlements: 'packaging/mac/entitlements.plist',
    entitlementsInherit: 'packaging/mac/entitlements.plist',
    // Without these macOS refuses, or asks in words that say nothing.
    extendInfo: {
      NSLocalNetworkUsageDescription:
        'Fieldbench sends records to services of your network, shows them, and takes in what devices there send.',
    },
  },
  dmg: { title: `${PRODUCT} \${version}`, sign: false },
});
