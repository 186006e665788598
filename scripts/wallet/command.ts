import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type CommandOutcome,
  type Environment,
  openOperator,
  readDataDir,
  runCommand,
  UsageError,
} from '../operator-client'
import { acceptOffer } from './accept-offer'
import { answerRequest } from './answer-request'
import { type Holder, openHolder } from './holder'
import { issuePid } from './pid-issuer'
import { decodeSdJwt } from './sd-jwt'

const USAGE = `Usage: npm run wallet -- <command>

  list                                  shows the credentials of this wallet
  accept <link> [--tx-code <digits>]    fetches the credential of an offer (openid-credential-offer://…)
  pid [--region <name>]                 takes a test PID, and adds its test issuer to the region's trust list (EU)
  present <link> [--decline]            answers a presentation request (openid4vp://…) with what it asks for

  --home <folder>   where the wallet keeps its keys and credentials (default: <DATA_DIR>/wallet)

Exit codes: 0 done, 1 refused or no answer, 2 not understood`

/** Runs `npm run wallet`. Exit codes: 0 done, 1 refused, 2 wrong usage or input. */
export function walletCommand(args: readonly string[], env: Environment): Promise<CommandOutcome> {
  return runCommand(() => run(args, env))
}

interface Options {
  readonly link: string
  readonly txCode: string | undefined
  readonly region: string
  readonly declines: boolean
  readonly env: Environment
}

interface WalletCommand {
  readonly takesLink: boolean
  readonly run: (holder: Holder, options: Options) => Promise<string>
}

const commands = new Map<string, WalletCommand>([
  [
    'list',
    { takesLink: false, run: async (holder) => holder.credentials.map(describe).join('\n') || 'This wallet is empty.' },
  ],
  [
    'accept',
    {
      takesLink: true,
      run: async (holder, { link, txCode }) => `Fetched: ${describe(await acceptOffer(holder, link, txCode))}`,
    },
  ],
  [
    'pid',
    {
      takesLink: false,
      run: async (holder, { env, region }) => `Issued: ${describe(await issuePid(holder, openOperator(env), region))}`,
    },
  ],
  ['present', { takesLink: true, run: (holder, { link, declines }) => answerRequest(holder, link, { declines }) }],
])

async function run(args: readonly string[], env: Environment): Promise<CommandOutcome> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      home: { type: 'string' },
      'tx-code': { type: 'string' },
      region: { type: 'string', default: 'EU' },
      decline: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const { home, 'tx-code': txCode, region, decline: declines, help } = values
  if (help === true) return { code: 0, text: USAGE }
  const [name = '', link = '', ...more] = positionals
  const command = commands.get(name)
  if (command === undefined || more.length > 0 || (link !== '') !== command.takesLink) throw new UsageError(USAGE)
  const holder = await openHolder(home ?? join(readDataDir(env), 'wallet'))
  return { code: 0, text: await command.run(holder, { link, txCode, region, declines, env }) }
}

function describe(credential: string): string {
  const { payload, claims } = decodeSdJwt(credential)
  return `${String(payload['vct'])} of ${String(payload['iss'])}: ${JSON.stringify(claims)}`
}
