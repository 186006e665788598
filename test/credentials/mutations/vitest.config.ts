/** The suites while one check of the product, which MUTATION names, is broken; nothing is written to the checkout. */
import path from 'node:path'
import { mergeConfig } from 'vitest/config'
import suites from '../../../vitest.config'
import { mutations } from './list'
import { breakCheck } from './mutation'

const mutation = mutations.find(({ name }) => name === process.env['MUTATION'])
if (mutation === undefined) throw new Error('MUTATION names no mutation')
const broken = path.resolve(import.meta.dirname, '../../..', mutation.file)

export default mergeConfig(suites, {
  plugins: [
    {
      name: 'break-check',
      enforce: 'pre',
      transform: (source: string, id: string) => (id === broken ? breakCheck(source, mutation) : undefined),
    },
  ],
})
