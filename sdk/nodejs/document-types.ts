/** The types of a workspace document that a program needs to build one in pieces. */
export type {
  ActionEntry,
  BranchEntry,
  CompleteDocument,
  DocumentInParts,
  GroupEntry,
  PermissionSetEntry,
  PipelineEntry,
  ProjectEntry,
  ProjectMemberEntry,
  RepositoryFileEntry,
  VariableEntry,
  WorkspaceDefaults,
  WorkspaceDocument,
  WorkspaceMemberEntry,
} from "../../schema/workspace-document.js";
