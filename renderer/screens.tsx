import { IconCpu, IconFolder, IconKey, IconServer } from '@tabler/icons-react';
import type { ComponentType, FunctionComponent, ReactNode } from 'react';
import {
  parseRoute,
  placeOf,
  routeBy,
  type KnownRoute,
  type ParametersOf,
  type Route,
  type ScreenPath,
} from './router.ts';
import { ApiKeysScreen } from './views/api-keys/api-keys-screen.tsx';
import { deviceTail } from './views/device/device-address.ts';
import { DeviceName } from './views/device/device-name.tsx';
import { DeviceScreen } from './views/device/device-screen.tsx';
import { DevicesScreen } from './views/devices/devices-screen.tsx';
import { ProjectName } from './views/devices/project-name.tsx';
import { ProjectsScreen } from './views/projects/projects-screen.tsx';
import { ServiceScreen } from './views/service/service-screen.tsx';

type Icon = ComponentType<{ size?: number }>;

/** What the app knows of a screen. `Shown` is what its address says behind its path. */
interface ScreenRow<Path extends string, Shown extends object> extends ScreenPath<Path, Shown> {
  readonly title: string;
  /** Draws the name of what it shows, for the trail; while that is not known, the title, its child. */
  readonly name?: FunctionComponent<ParametersOf<Path> & { readonly children: string }>;
  readonly icon: Icon;
  /** Where it can be gone to from any screen: only one that needs no parameter. */
  readonly listed?: unknown extends ParametersOf<Path> ? readonly ('header' | 'palette')[] : never;
  /** Whether files that are dropped on it are its own. */
  readonly takesFiles?: boolean;
  readonly component: FunctionComponent<ParametersOf<Path> & NoInfer<Shown>>;
}

function screen<const Path extends string, Shown extends object = object>(row: ScreenRow<Path, Shown>) {
  return row;
}

/** All screens. Router, header, palette and the app go by this table. */
const SCREENS = {
  projects: screen({
    path: '/',
    also: ['/projects'],
    title: 'Projects',
    icon: IconFolder,
    listed: ['palette'],
    component: ProjectsScreen,
  }),
  devices: screen({
    path: '/projects/:project_id',
    title: 'Project',
    name: ProjectName,
    icon: IconFolder,
    component: DevicesScreen,
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
  'api-keys': screen({
    path: '/api-keys',
    title: 'API keys',
    icon: IconKey,
    listed: ['header', 'palette'],
    component: ApiKeysScreen,
  }),
  service: screen({
    path: '/service',
    title: 'Service',
    icon: IconServer,
    listed: ['header', 'palette'],
    component: ServiceScreen,
  }),
};

declare module './router.ts' {
  interface Registered {
    readonly screens: typeof SCREENS;
  }
}
routeBy(SCREENS);

/** The screens that can be gone to from everywhere, in the order of the table. */
export function listedIn(place: 'header' | 'palette') {
  return Object.values(SCREENS)
    .filter(({ listed }) => listed?.includes(place))
    .map(({ path, title, icon }) => ({ title, icon, route: parseRoute(`#${path}`) }));
}

export function iconOf(name: KnownRoute['screen']): Icon {
  return SCREENS[name].icon;
}

/** What a screen is called in the trail. */
export function nameOf(route: KnownRoute): ReactNode {
  const { name, title } = SCREENS[route.screen];
  return name ? draw(name, route, title) : title;
}

/** The screen itself. */
export function screenOf(route: KnownRoute): ReactNode {
  return draw(SCREENS[route.screen].component, route);
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
