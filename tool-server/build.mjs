/**
 * Compiles the package, and makes one file of the command: hosts start it often, and finding and reading some 300 modules
 * takes longer than running them. The library stays in modules.
 */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'
import { build } from 'esbuild'

const directory = import.meta.dirname
const compiler = path.join(path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
const command = path.join(directory, 'dist/bin.js')
/** What bundled CommonJS packages ask for Node's own modules with. */
const banner = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"

const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
  cwd: directory,
  stdio: 'inherit',
})
if (status !== 0) process.exit(status ?? 1)
await build({
  entryPoints: [command],
  outfile: command,
  allowOverwrite: true,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'linked',
  banner: { js: banner },
  logLevel: 'warning',
})
