/** The name and version of this package, as hosts and servers see it. */
export const PACKAGE_INFO = { name: '@countersign/tools', version: '0.1.0' } as const
