/**
 * Bundles the service without Next for `ROLE=api`: one file is read at start where there were some thousand, and what only
 * pages need is left out.
 */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Loaded from node_modules: what has files of its own beside its code, and what the API loads seldom or never. */
const external = [
  '@electric-sql/pglite',
  '@peculiar/x509',
  '@prisma/client/*',
  'next',
  'next-auth',
  'pg-native',
  'pglite-prisma-adapter',
  'reflect-metadata',
  'sodium-native',
]

/** CommonJS packages of the bundle load Node's own modules with it. */
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
