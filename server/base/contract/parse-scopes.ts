import { ServiceError } from '../core/errors'
import { type Scope, scopes } from './scopes'

/** Splits and checks a list of scopes; returns null when none is given. */
export function parseScopes(scope: string | undefined): Scope[] | null {
  if (scope === undefined || scope.trim() === '') return null
  const names = [...new Set(scope.split(' ').filter((name) => name !== ''))]
  const known = names.filter((name): name is Scope => (scopes as readonly string[]).includes(name))
  if (known.length !== names.length) throw new ServiceError('invalid_scope', 'scope contains an unknown value.')
  return known
}
