import type { Command, Options } from './command'

const subordinates = '/federation/subordinates'
const pathOf = (entityId: string): string => `${subordinates}/${encodeURIComponent(entityId)}`

const fileOptions = {
  jwks: { hint: 'file with public keys' },
  metadata: { hint: 'file' },
  policy: { hint: 'file with a metadata policy' },
  constraints: { hint: 'file' },
}
const entityOptions = { types: { hint: 'openid_relying_party,…' }, marks: { hint: 'url,… or none' }, ...fileOptions }

/** The commands of the federation. */
export const federationCommands: readonly Command[] = [
  {
    words: ['federation', 'list'],
    summary: 'Lists the entities of the federation, whatever their status.',
    toCall: () => ({ method: 'GET', path: subordinates }),
  },
  {
    words: ['federation', 'register'],
    takes: ['entity_id'],
    options: {
      ...entityOptions,
      types: { ...entityOptions.types, required: true },
      jwks: { ...fileOptions.jwks, required: true },
    },
    summary: 'Enrols an entity, for which this server then vouches.',
    toCall: ([entityId = ''], options) => ({
      method: 'POST',
      path: subordinates,
      body: { entity_id: entityId, ...listsOf(options) },
      files: filesOf(options),
    }),
  },
  {
    words: ['federation', 'update'],
    takes: ['entity_id'],
    options: entityOptions,
    summary: 'Changes the given fields of an entity.',
    toCall: ([entityId = ''], options) => ({
      method: 'PATCH',
      path: pathOf(entityId),
      body: listsOf(options),
      files: filesOf(options),
    }),
  },
  statusCommand('suspend', { status: 'suspended', summary: 'Takes an entity and its marks out for a while.' }),
  statusCommand('reinstate', { status: 'active', summary: 'Takes a suspended entity back.' }),
  statusCommand('revoke', { status: 'revoked', summary: 'Takes an entity out for good.' }),
  {
    words: ['federation', 'marks', 'revoke'],
    takes: ['entity_id', 'trust_mark_id'],
    summary: 'Ends a trust mark that was issued; the others of the entity stay.',
    toCall: ([sub = '', mark = '']) => ({
      method: 'POST',
      path: `/federation/trust-mark/revoke?${new URLSearchParams({ sub, trust_mark_id: mark })}`,
      isWhole: true,
    }),
  },
  {
    words: ['federation', 'marks', 'reinstate'],
    takes: ['entity_id', 'trust_mark_id'],
    summary: 'Lets a revoked trust mark be issued again.',
    toCall: ([entityId = '', mark = '']) => ({
      method: 'PATCH',
      path: pathOf(entityId),
      body: { reinstate_trust_mark_ids: [mark] },
    }),
  },
]

function statusCommand(word: string, { status, summary }: { status: string; summary: string }): Command {
  return {
    words: ['federation', word],
    takes: ['entity_id'],
    summary,
    toCall: ([entityId = '']) => ({ method: 'PATCH', path: pathOf(entityId), body: { status } }),
  }
}

function listsOf({ types, marks }: Options): Readonly<Record<string, unknown>> {
  return {
    ...(types !== undefined && { entity_types: types.split(',') }),
    ...(marks !== undefined && { trust_mark_ids: marks === 'none' ? [] : marks.split(',') }),
  }
}

/** Returns the members of the body that are read from files. */
function filesOf({ jwks, metadata, policy, constraints }: Options): Readonly<Record<string, string>> {
  const files = { jwks, metadata, metadata_policy: policy, constraints }
  return Object.fromEntries(Object.entries(files).flatMap(([name, file]) => (file === undefined ? [] : [[name, file]])))
}
