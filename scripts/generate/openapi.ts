/** The OpenAPI description of the emulator, by which the generators know the service's requests and responses. */
import { openApi } from "../../emulator/openapi.js";
import { routes } from "../../emulator/resources/list-of-resources.js";

export const openApiDescription = JSON.parse(
  JSON.stringify(openApi(routes, "https://host.example/api")),
) as unknown;
