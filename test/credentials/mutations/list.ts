import { mutationsOfCredentials } from './in-credentials'
import { mutationsOfTrust } from './in-trust'
import type { Mutation } from './mutation'

export const mutations: readonly Mutation[] = [...mutationsOfCredentials, ...mutationsOfTrust]
