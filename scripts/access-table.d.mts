interface Routes {
  readonly portalRoutes: readonly object[];
  readonly adminRoutes: readonly object[];
}

export function accessPage(routes: Routes): string;
