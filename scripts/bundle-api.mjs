/**
 * Bundles the service without Next for `ROLE=api`, so that the start reads one file instead of some thousand, and the
 * code of the pages is left out.
 */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Packages that are loaded from node_modules: those with files beside their code, and those that the API loads seldom
 * or never.
 */
const external = [
  '@electric-sql/pglite',
  '@opentelemetry/*',
  '@peculiar/x509',
  '@prisma/client/*',
  'next',
  'next-auth',
  'pg-native',
  'pglite-prisma-adapter',
  'reflect-metadata',
  'sodium-native',
]

/** The code with which CommonJS packages in the bundle load Node's own modules. */
const banner = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`

await build({
  absWorkingDir: root,
  entryPoints: ['server/boot.ts'],
  outdir: path.join(root, 'dist/api'),
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minify: true,
  sourcemap: true,
  external,
  banner: { js: banner },
  logLevel: 'warning',
})
