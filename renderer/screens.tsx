import {
  IconArrowsDiff,
  IconArrowsExchange,
  IconBell,
  IconBellRinging,
  IconBookmark,
  IconCloudUpload,
  IconCpu,
  IconFileImport,
  IconFileText,
  IconFolder,
  IconKey,
  IconLayoutDashboard,
  IconServer,
  IconServer2,
  IconTrash,
} from '@tabler/icons-react';
import type { FunctionComponent, ReactNode } from 'react';
import { may } from './bridge/distant.ts';
import { at } from './bridge/place.ts';
import { listTail } from './components/screen/list-shown.ts';
import { Arriving } from './components/screen/arriving.tsx';
import { later } from './later.tsx';
import { parseRoute, placeOf, routeBy, type KnownRoute, type Route } from './router.ts';
import { screen, type Icon, type ScreenRow } from './screen-row.ts';
import { AlarmsCount } from './views/alarms/alarms-count.tsx';
import { alarmsTail } from './views/alarms/alarms-address.ts';
import { compareTail } from './views/compare/compare-address.ts';
import { dashboardTail } from './views/dashboard/dashboard-address.ts';
import { deviceTail } from './views/device/device-address.ts';
import { DeviceName } from './views/device/device-name.tsx';
import { reportTail } from './views/device/report/report-address.ts';
import { devicesTail } from './views/devices/shown/devices-address.ts';
import { DeletedCount } from './views/deleted/deleted-count.tsx';
import { ProjectName } from './views/devices/project-name.tsx';
import { ProjectsScreen } from './views/projects/projects-screen.tsx';
import { rulesTail } from './views/rules/rules-address.ts';
import { requestsTail } from './views/requests/requests-address.ts';
import { serviceTail } from './views/service/service-address.ts';

/** A screen that the start does without. */
const screenLater = <Props extends object>(load: () => Promise<FunctionComponent<Props>>) =>
  later(load, <Arriving />);

const AlarmsScreen = screenLater(async () => (await import('./views/alarms/alarms-screen.tsx')).AlarmsScreen);
const ApiKeysScreen = screenLater(
  async () => (await import('./views/api-keys/api-keys-screen.tsx')).ApiKeysScreen,
);
const CompareScreen = screenLater(
  async () => (await import('./views/compare/compare-screen.tsx')).CompareScreen,
);
const DashboardScreen = screenLater(
  async () => (await import('./views/dashboard/dashboard-screen.tsx')).DashboardScreen,
);
const DeviceScreen = screenLater(async () => (await import('./views/device/device-screen.tsx')).DeviceScreen);
const DeletedScreen = screenLater(
  async () => (await import('./views/deleted/deleted-screen.tsx')).DeletedScreen,
);
const OtherServicesScreen = screenLater(
  async () => (await import('./views/other-services/other-services-screen.tsx')).OtherServicesScreen,
);
const ReportScreen = screenLater(
  async () => (await import('./views/device/report/report-screen.tsx')).ReportScreen,
);
const RequestsScreen = screenLater(
  async () => (await import('./views/requests/requests-screen.tsx')).RequestsScreen,
);
const RulesScreen = screenLater(async () => (await import('./views/rules/rules-screen.tsx')).RulesScreen);
const SavedViewsScreen = screenLater(
  async () => (await import('./views/saved/saved-views-screen.tsx')).SavedViewsScreen,
);
const ServiceScreen = screenLater(
  async () => (await import('./views/service/service-screen.tsx')).ServiceScreen,
);
const ImportScreen = screenLater(async () => (await import('./views/import/import-screen.tsx')).ImportScreen);
const LookScreen = screenLater(async () => (await import('./views/import/look-screen.tsx')).LookScreen);
const PushScreen = screenLater(async () => (await import('./views/push/push-screen.tsx')).PushScreen);
const DevicesScreen = screenLater(
  async () => (await import('./views/devices/devices-screen.tsx')).DevicesScreen,
);

/** All screens. Router, sidebar, palette and the app go by this table. */
const SCREENS = {
  projects: screen({
    path: '/',
    also: ['/projects'],
    tail: listTail,
    title: 'Projects',
    icon: IconFolder,
    listed: ['palette'],
    component: ProjectsScreen,
  }),
  devices: screen({
    path: '/projects/:project_id',
    tail: devicesTail,
    title: 'Project',
    name: ProjectName,
    icon: IconFolder,
    component: DevicesScreen,
  }),
  dashboard: screen({
    path: '/projects/:project_id/dashboard',
    tail: dashboardTail,
    title: 'Dashboard',
    needs: 'widgets.list',
    icon: IconLayoutDashboard,
    component: DashboardScreen,
  }),
  device: screen({
    path: '/projects/:project_id/devices/:device_id',
    tail: deviceTail,
    title: 'Device',
    name: DeviceName,
    icon: IconCpu,
    takesFiles: true,
    component: DeviceScreen,
  }),
  report: screen({
    path: '/projects/:project_id/devices/:device_id/report',
    tail: reportTail,
    title: 'Report',
    needs: 'statistics.get',
    icon: IconFileText,
    component: ReportScreen,
  }),
  rules: screen({
    path: '/projects/:project_id/rules',
    tail: rulesTail,
    title: 'Rules',
    needs: 'functions.list',
    icon: IconBell,
    component: RulesScreen,
  }),
  alarms: screen({
    path: '/alarms',
    tail: alarmsTail,
    title: 'Alarms',
    needs: 'alarms.all',
    count: AlarmsCount,
    icon: IconBellRinging,
    listed: ['sidebar', 'palette'],
    component: AlarmsScreen,
  }),
  compare: screen({
    path: '/compare',
    tail: compareTail,
    title: 'Compare',
    icon: IconArrowsDiff,
    listed: ['palette'],
    component: CompareScreen,
  }),
  views: screen({
    path: '/views',
    title: 'Saved views',
    needs: 'views.list',
    icon: IconBookmark,
    listed: ['sidebar', 'palette'],
    component: SavedViewsScreen,
  }),
  import: screen({
    path: '/projects/:project_id/import',
    title: 'Import files',
    needs: 'records.import',
    icon: IconFileImport,
    takesFiles: true,
    component: ImportScreen,
  }),
  look: screen({
    path: '/import',
    title: 'Look at files',
    listed: ['palette'],
    needs: 'records.import',
    icon: IconFileImport,
    takesFiles: true,
    component: LookScreen,
  }),
  push: screen({
    path: '/projects/:project_id/push',
    needs: 'push.plan',
    title: 'Push to a lab',
    icon: IconCloudUpload,
    component: PushScreen,
  }),
  requests: screen({
    path: '/requests',
    also: ['/service/refused'],
    tail: requestsTail,
    title: 'Requests',
    needs: 'requests.list',
    icon: IconArrowsExchange,
    listed: ['sidebar', 'palette'],
    component: RequestsScreen,
  }),
  'api-keys': screen({
    path: '/api-keys',
    tail: listTail,
    title: 'API keys',
    needs: 'keys.list',
    icon: IconKey,
    listed: ['sidebar', 'palette'],
    component: ApiKeysScreen,
  }),
  deleted: screen({
    path: '/deleted',
    tail: listTail,
    title: 'Recently deleted',
    needs: 'undo.list',
    count: DeletedCount,
    icon: IconTrash,
    listed: ['sidebar', 'palette'],
    component: DeletedScreen,
  }),
  service: screen({
    path: '/service',
    tail: serviceTail,
    title: 'Service',
    needs: 'status.get',
    icon: IconServer,
    listed: ['sidebar', 'palette'],
    component: ServiceScreen,
  }),
  'other-services': screen({
    path: '/other-services',
    tail: listTail,
    title: 'Other services',
    isOfMachine: true,
    icon: IconServer2,
    listed: ['sidebar', 'palette'],
    component: OtherServicesScreen,
  }),
};

declare module './router.ts' {
  interface Registered {
    readonly screens: typeof SCREENS;
  }
}
routeBy(SCREENS);

/** The screens that can be gone to from everywhere, in the order of the table. */
export function listedIn(place: 'sidebar' | 'palette') {
  return Object.values(SCREENS)
    .filter((row) => row.listed?.includes(place) && isThere(row))
    .map(({ path, title, icon, count }) => ({ title, icon, count, route: parseRoute(`#${path}`) }));
}

export function iconOf(name: KnownRoute['screen']): Icon {
  return SCREENS[name].icon;
}

/** Returns the name of a screen in the trail. */
export function nameOf(route: KnownRoute): ReactNode {
  const { name, title } = SCREENS[route.screen];
  return name ? draw(name, route, title) : title;
}

/** The screen itself. */
export function screenOf(route: KnownRoute): ReactNode {
  return draw(SCREENS[route.screen].component, route);
}

/** Whether the service that is looked at has the screen, and this window may have it. */
export function hasScreen({ screen: name }: KnownRoute): boolean {
  return isThere(SCREENS[name]);
}

function isThere({ needs, isOfMachine }: Pick<ScreenRow<string, object>, 'needs' | 'isOfMachine'>): boolean {
  return (needs === undefined || may(needs)) && (at === null || isOfMachine !== true);
}

/** Whether files that are dropped on the screen are its own. */
export function takesFiles(route: Route): boolean {
  return route.screen !== 'unknown' && SCREENS[route.screen].takesFiles === true;
}

/** Draws a part of the row that a route is of, anew for another device or project. */
function draw(part: FunctionComponent<never>, route: KnownRoute, children?: string): ReactNode {
  // The route holds what its own row's parts are told; the compiler cannot follow that through the table.
  const Part = part as FunctionComponent<KnownRoute & { readonly children?: string }>;
  return (
    <Part key={placeOf(route)} {...route}>
      {children}
    </Part>
  );
}
