import { inProject } from '../scripts/lib/project.mjs';
import { FUSES } from './fuses.mjs';
import { IDS, PRODUCT, PROGRAM } from './identity.mjs';

/**
 * electron-builder's configuration, which it checks itself. It makes the folder of an installed app and, on a Mac, dmg and zip;
 * the other files are made of that folder by tools of the systems that they are for (docs/decisions.md, "Packages by each
 * system's own tools").
 * @param {{ app: string, hasKeytar: boolean, output: string, electronDist: string | null, extracted: (tree: string) => void }} place app: the
 *   folder that becomes the archive; electronDist: Electron's unpacked runtime, null
 *   to have it downloaded; extracted: is called with the folder of the runtime's copy
 * @returns {import('electron-builder').Configuration}
 */
export const builderConfig = ({ app, hasKeytar, output, electronDist, extracted }) => ({
  productName: PRODUCT,
  executableName: PROGRAM,
  directories: { app, output, buildResources: inProject('packaging') },
  ...(electronDist !== null && { electronDist }),
  // Of the folder's own node_modules electron-builder takes only what it has looked for.
  files: [
    '**/*',
    ...(hasKeytar ? [{ from: `${app}/node_modules`, to: 'node_modules', filter: ['**/*'] }] : []),
  ],
  // For who looks into the folder; the app's own pages have the one in the archive.
  extraFiles: [{ from: `${app}/out/renderer/licences.txt`, to: 'licences.txt' }],
  asar: true,
  // Native code is loaded from a file.
  asarUnpack: ['node_modules/keytar/**'],
  // false: modules are neither built anew nor looked for. app-folder.mjs has laid out all that ships, and keytar speaks
  // Node-API, which is the same in every Node and Electron. (npmRebuild: false would have modules looked for.)
  beforeBuild: () => Promise.resolve(false),
  // Before the hash of each archive goes into the program.
  afterExtract: ({ appOutDir }) => Promise.resolve(extracted(appOutDir)),
  // The signature that Apple's processors ask for is made anew where a build is not signed.
  electronFuses: { ...FUSES, resetAdHocDarwinSignature: true },
  electronLanguages: ['en-US'],
  publish: null,
  linux: { target: ['dir'], syncDesktopName: true },
  win: {
    target: ['dir'],
    appId: IDS.windows,
    icon: 'icons/icon.ico',
  },
  mac: {
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
