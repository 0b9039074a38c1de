/** Describes a plan in rows: one for each object that has contents, one for all others of a kind. */
import type { Operation } from "../../automation/plan/planned-objects.js";
import type { PropertyChange } from "../../automation/plan/property-changes.js";
import type { PlanStep } from "../../automation/plan/record-plan.js";
import { stripControls } from "../../client/printable.js";
import { isSameJson, KNOWN_LATER } from "../../diff/values.js";
import { LogicalName } from "../../resources/definition/logical-name.js";
import { groupBy } from "../../text/lists.js";
import {
  chooseNoun,
  describeBriefly,
  describeMoment,
  formatNames,
  formatNodeCount,
  formatOrdinal,
  formatUnmanaged,
  hasContents,
  isInOrder,
} from "../object-words.js";
import {
  formatArgumentLines,
  formatChangeLines,
  groupEqualRows,
  type Row,
  type RowOptions,
} from "./changed-rows.js";
import { describeMoves } from "./order-moves.js";
import { getListName, isUnnamed, listContents, listStepsIn, type TreeNode } from "./plan-tree.js";

/** Number of operations from which equal ones share a row, and new contents are only counted. */
const MANY = 60;

export function planRows(tree: readonly TreeNode[], options: RowOptions): Row[] {
  const isLong = !options.details && listStepsIn(tree).length >= MANY;
  const printer = new RowPrinter(options, isLong);
  if (!isLong) return printer.rowsOf(tree, 0);
  const { rows, rest } = groupEqualRows(tree, options);
  return [...printer.rowsOf(rest, 0), ...rows];
}

class RowPrinter {
  /** Names of the declared objects by section. */
  private sections: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(
    private readonly options: RowOptions,
    private readonly isLong: boolean,
  ) {}

  rowsOf(nodes: readonly TreeNode[], depth: number, owner?: TreeNode): Row[] {
    const groups = groupBy(nodes, (node) => this.groupOf(node));
    return [...groups.values()].flatMap((group) => {
      const [first] = group as [TreeNode];
      return this.isPlain(first) && (!hasContents(first) || group.length > FEW_CONTAINERS)
        ? [this.list(group, depth, owner)]
        : group.flatMap((node) => this.single(node, depth, owner));
    });
  }

  /** Key that objects have to share to be listed in one row. */
  private groupOf(node: TreeNode): string {
    const { type, name, step, definition } = node;
    const isAlone = !this.isPlain(node) || definition === undefined || (hasContents(node) && !this.isLong);
    return JSON.stringify([type, ...(isAlone ? [name] : [step?.operation, this.outside(node)])]);
  }

  /** Whether there is nothing to say of it but its name and what it contains. */
  private isPlain({ step, children }: TreeNode): boolean {
    if (step === undefined || this.options.details) return false;
    const { operation, changes, formerName, reasons } = step;
    if (changes.length > 0 && operation !== "create" && operation !== "delete" && operation !== "release")
      return false;
    if (operation === "update" || operation === "replace") return false;
    return (
      formerName === undefined &&
      reasons.length === 0 &&
      listContents({ children }).every((one) => one.step?.operation === operation)
    );
  }

  private list(nodes: readonly TreeNode[], depth: number, owner?: TreeNode): Row {
    const [first] = nodes as [TreeNode];
    const { dim } = this.options.colors;
    const isNamed = first.step?.operation === "delete" || first.step?.operation === "replace";
    const items = nodes.map((node) => this.item(node));
    const contents = hasContents(first)
      ? formatNodeCount(listContents({ children: nodes.flatMap(({ children }) => children) }))
      : "";
    const noun = chooseNoun(first.type, nodes.length, owner?.type);
    const more = [
      this.withUnmanaged(contents === "" ? "" : `with ${contents}`, listContents({ children: [...nodes] })),
      dim(this.outside(first)),
    ].filter((one) => one !== "");
    return {
      depth,
      sign: first.step?.operation,
      text: [
        isUnnamed(first) ? noun : `${noun}${nodes.length > 1 ? ":" : ""} ${formatNames(items, isNamed)}`,
        ...more,
      ].join("  "),
      below: [],
      steps: listStepsIn(nodes),
    };
  }

  /** `Developers (ann@example.com, bob@example.com)`, `Tell the team (3rd of 5)` */
  private item(node: TreeNode, isAlone: boolean = true): string {
    const { children, definition } = node;
    const kinds = hasContents(node) ? [] : [...groupBy(children, ({ type }) => type).values()];
    const parts = kinds.map((of) => {
      const names = formatNames(of.map((one) => this.item(one)));
      const isOnlyKind = of[0]?.definition?.document?.form === "keys";
      return isOnlyKind ? names : `${chooseNoun(of[0]?.type ?? "", of.length, node.type)} ${names}`;
    });
    const position =
      isAlone && isInOrder(definition) ? [this.position(node), describeMoment(node) || undefined] : [];
    const said = [describeBriefly(node), ...position, ...parts].filter((one) => one !== undefined);
    const name = stripControls(node.key);
    const words = said.map((one) => (one === KNOWN_LATER ? "known later" : one));
    return said.length === 0 ? name : `${name} (${words.join("; ")})`;
  }

  /** The place of a new object in an existing list whose order matters. */
  private position({ name, step }: TreeNode): string | undefined {
    if (step?.operation !== "create") return undefined;
    const names = () => [...(this.options.order?.keys() ?? [])].filter((one) => !one.endsWith("/"));
    this.sections ??= groupBy(names(), getListName);
    const all = this.sections.get(getListName(name)) ?? [];
    const at = all.indexOf(name);
    return at < 0 ? undefined : `${formatOrdinal(at + 1)} of ${all.length}`;
  }

  private single(node: TreeNode, depth: number, owner?: TreeNode): Row[] {
    const { step, drift, children, args } = node;
    const { colors, details } = this.options;
    const kind = chooseNoun(node.type, 1, owner?.type);
    // What only the engine has as an object has no name of its own.
    const noun = owner !== undefined && isUnnamed(node) ? kind : `${kind} ${stripControls(node.key)}`;
    if (step === undefined && drift === undefined)
      return [{ depth, text: noun, below: [], steps: [] }, ...this.rowsOf(children, depth + 1, node)];
    const operation = step?.operation;
    const isNew = operation === "create" || (operation === "adopt" && step?.changes.length === 0);
    const isWhole = isNew || operation === "delete" || operation === "release" || drift?.gone === true;
    const isFolded = isWhole && !details;
    const folded = isFolded ? children.filter((one) => this.isFoldedInto(one, node)) : [];
    const implied = details ? [] : children.filter((one) => isImplied(one, node));
    const rest = children.filter((one) => !folded.includes(one) && !implied.includes(one));
    // What is in a renamed object keeps its own key.
    const formerKey = step?.formerName === undefined ? node.key : new LogicalName(step.formerName).key;
    const former = formerKey === node.key ? "" : `(was ${stripControls(formerKey)})`;
    const isFollowing = !details && isUnnamed(node) && step !== undefined && this.isFollowing(step);
    const moves =
      !details && isUnnamed(node) && operation === "update"
        ? describeMoves(step?.changes ?? [], this.hasFile)
        : undefined;
    const words = [
      ...(isFollowing ? ["only for what is new or deleted"] : []),
      ...(isNew ? [describeBriefly(node) ?? ""] : [former]),
      this.withUnmanaged(this.contents(folded, operation, node), [
        node,
        ...listContents({ children: folded }),
      ]),
    ].filter((one) => one !== "");
    const outside = this.outside(node);
    const below = isWhole
      ? details && step !== undefined
        ? formatArgumentLines(step, args)
        : []
      : isFollowing
        ? []
        : (moves ??
          formatChangeLines(step?.changes ?? drift?.changes ?? [], colors, {
            reasons: step?.reasons,
            details,
          }));
    return [
      {
        depth,
        sign: operation ?? "outside",
        text: [noun, words.join(" · "), colors.dim(outside)].filter((one) => one !== "").join("  "),
        below,
        steps: [node, ...implied].flatMap((one) => one.step ?? []).concat(listStepsIn(folded)),
      },
      ...(isNew && !details ? this.created(rest, depth + 1, node) : this.rowsOf(rest, depth + 1, node)),
    ];
  }

  /** Whether the row of a new or deleted object names or counts an object in it. */
  private isFoldedInto(child: TreeNode, { step }: TreeNode): boolean {
    if (step === undefined) return child.step === undefined && child.drift?.gone === true;
    if (!this.isPlain(child) || child.step?.operation !== step.operation) return false;
    if (step.operation !== "create" && step.operation !== "adopt") return true;
    return (
      this.isLong ||
      (!hasContents(child) && !isInOrder(child.definition) && child.definition?.document !== undefined)
    );
  }

  private contents(folded: readonly TreeNode[], operation: Operation | undefined, owner: TreeNode): string {
    if (folded.length === 0) return "";
    if ((operation !== "create" && operation !== "adopt") || this.isLong)
      return `with ${formatNodeCount(listContents({ children: [...folded] }), owner.type)}`;
    const kinds = groupBy(folded, ({ type }) => type);
    return [...kinds.values()]
      .map(
        (of) =>
          `${chooseNoun(of[0]?.type ?? "", of.length, owner.type)} ${formatNames(of.map((one) => this.item(one)))}`,
      )
      .join(" · ");
  }

  /** `with 4 actions; and 2 actions that no file declares (Audit, Notify)` */
  private withUnmanaged(contents: string, nodes: readonly TreeNode[]): string {
    const more = formatUnmanaged(nodes, this.options.details ?? false);
    if (more === "") return contents;
    return contents === "" ? `with ${more}` : `${contents}; and ${more}`;
  }

  /** Rows of what a new object contains: a list whose order matters is shown in its order. */
  private created(nodes: readonly TreeNode[], depth: number, owner: TreeNode): Row[] {
    const inOrder = nodes.filter((node) => isInOrder(node.definition) && this.isPlain(node));
    const moments = groupBy(inOrder, describeMoment);
    const rows = [...moments].map(([moment, of]): Row => {
      const names = of.map((one, at) => `${moment === "" ? `${at + 1} ` : ""}${this.item(one, false)}`);
      const text = `${moment === "" ? "" : `${moment}: `}${names.join(" · ")}`;
      return {
        depth,
        text,
        below: [],
        steps: listStepsIn(of),
      };
    });
    return [
      ...rows,
      ...this.rowsOf(
        nodes.filter((node) => !inOrder.includes(node)),
        depth,
        owner,
      ),
    ];
  }

  /** Whether an order changes only where other rows say that something is new or deleted, and where. */
  private isFollowing({ operation, changes }: PlanStep): boolean {
    return (
      operation === "update" && changes.length > 0 && changes.every((one) => keepsOrder(one, this.hasFile))
    );
  }

  private get hasFile(): boolean {
    return (this.options.order?.size ?? 0) > 0;
  }

  private outside({ step, drift }: TreeNode): string {
    if (drift === undefined) return "";
    if (drift.gone) return step === undefined ? "deleted outside" : "was deleted outside";
    return "changed outside";
  }
}

/** More new objects with contents than this share a row in a long plan. */
const FEW_CONTAINERS = 20;

/** Whether the items of two lists have the same order, apart from new and deleted ones. @param mayGrow new ones are shown elsewhere */
function keepsOrder({ before, after }: PropertyChange, mayGrow: boolean): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return false;
  const [listBefore, listAfter] = [before as readonly unknown[], after as readonly unknown[]];
  const staying = listAfter.filter((item) => listBefore.includes(item));
  return (
    (mayGrow || staying.length === listAfter.length) &&
    isSameJson(
      staying,
      listBefore.filter((item) => listAfter.includes(item)),
    )
  );
}

/** What only the engine has as an object comes and goes with its owner. */
function isImplied(node: TreeNode, owner: TreeNode): boolean {
  const { step } = node;
  return (
    isUnnamed(node) &&
    step?.operation === owner.step?.operation &&
    ["create", "adopt", "delete", "release"].includes(step?.operation ?? "")
  );
}
